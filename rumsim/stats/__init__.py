"""Statistics on plain numbers; imports nothing of rumsim."""
