"""The pytest plugin: a bot's certificate and its regression files as items of the bot's own test suite."""
