/** The endings of building names. */
export const nameSuffixes = ['栋', '号楼', '座'] as const

export interface BuildingPlan {
  readonly from: number
  readonly to: number
  readonly suffix: string
}

/** Names of the buildings from one number to another: `1栋`, `2栋`. */
export const plannedBuildingNames = ({ from, to, suffix }: BuildingPlan): string[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => `${from + i}${suffix}`)

/** Lists names and leaves out the middle of a long list: `1栋、2栋…9栋`. */
export const abbreviateNames = (names: readonly string[]): string =>
  names.length <= 4 ? names.join('、') : `${names.slice(0, 2).join('、')}…${names.at(-1)}`
