import type { CSSProperties } from 'react'
import { cssVariables } from '#kit/web/css-variables.ts'
import type { RoomState } from '../contract/labels.ts'

const tintNames: { readonly [state in RoomState]: string } = {
  unsold: 'unsold',
  pending: 'handover',
  vacant: 'vacant',
  lived: 'lived',
  let: 'let',
  fitting: 'fitting',
  own: 'own',
}

/** The board's own tint of a state; the theme holds the colours. */
export const tintStyle = (state: RoomState): CSSProperties =>
  cssVariables({ '--tint': `var(--room-${tintNames[state]})` })

/** Cells shrink to numbers, then to blocks, where a building is too large for the screen. */
export const cellSizeOf = (units: number, floors: number): 'full' | 'number' | 'block' =>
  units > 8 || floors > 60 ? 'block' : units > 4 || floors > 34 ? 'number' : 'full'

export const cellDimensions = {
  full: { '--cell': '46px', '--tall': '34px' },
  number: { '--cell': '38px', '--tall': '24px' },
  block: { '--cell': '16px', '--tall': '14px' },
} as const
