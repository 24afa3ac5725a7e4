import type { CSSProperties } from 'react'

/** A style of CSS variables, which React's type of styles does not know: `cssVariables({ '--w': 210 })`. */
export const cssVariables = (values: Readonly<Record<`--${string}`, string | number>>): CSSProperties =>
  values
