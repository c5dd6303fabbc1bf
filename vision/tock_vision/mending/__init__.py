"""A board that was discovered is mended by finger: pure values, apart from the workbench that holds the photographs."""
