/** Measures in px that several parts share. */
export const layout = {
  topbar: 48,
  tabs: 36,
  rail: 68,
  panel: 164,
  row: 44,
  tableHeader: 40,
  totals: 36,
  paginator: 48,
  filterBar: 48,
  toolbar: 48,
  drawer: { detail: 640, wide: 880, picker: 480 },
  dialog: { confirm: 440, form: 560, picker: 720 },
  formColumn: 360,
} as const
