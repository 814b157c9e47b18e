"""Text for people: hands, deals, settlements, rules in words.  Nothing here reads or writes."""
