// HeaderClient
