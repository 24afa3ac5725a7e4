/**
 * Stands for the library's thirteen named colours and their ready-made shades: the product has its own. It
 * computes the shades that it does not find here. Without the names a button's style has no rules for them,
 * which every page would compute.
 */
type Shades = Record<string, undefined>

export const PresetColors: readonly string[] = []
export const presetPrimaryColors: Shades = {}
export const presetPalettes: Shades = {}
export const presetDarkPalettes: Shades = {}
export const blue: Shades = {}
export const gold: Shades = {}
