// HeaderDaemon
