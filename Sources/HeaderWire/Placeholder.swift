// HeaderWire
