import type { PaletteGroup } from '#kit/web/command-palette.ts'

/** The groups of the records that the palette finds, in their order. */
export const paletteGroups: readonly PaletteGroup[] = [
  { key: 'room', label: '房间', icon: 'building', prefix: { character: '房', name: '房间' } },
  { key: 'person', label: '住户', icon: 'user' },
  { key: 'car', label: '车辆', icon: 'car', prefix: { character: '车', name: '车牌' } },
  { key: 'paper', label: '单据', icon: 'file', prefix: { character: '单', name: '单号' } },
]
