/** What the shell fetches once a page is drawn, as one file: menus and panels that drop down, and Ctrl K. */
export * from './antd-dropdown.tsx'
export { default as CommandPaletteDialog } from './shell/command-palette-dialog.tsx'
