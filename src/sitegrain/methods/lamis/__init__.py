"""LAMIS: TOC pages and article pages by anchors that inform."""
