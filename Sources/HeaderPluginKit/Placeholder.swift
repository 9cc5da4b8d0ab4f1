// HeaderPluginKit
