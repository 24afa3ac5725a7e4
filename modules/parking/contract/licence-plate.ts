import { defineRule } from '#kit/contract/rules.ts'
import { countCharacters, normalizeCode } from '#kit/contract/text.ts'

const provinceCharacter = '[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼]'
// I and O are left out of serial numbers: they would be read as 1 and 0. The letter of the office may be O
// (police, 京O).
const serialCharacter = '[A-HJ-NP-Z\\d]'

/** Letters of new-energy plates: D A B C E electric, F G H J K other kinds (GA 36-2018 and its additions). */
const energyLetter = '[A-HJK]'

const ordinaryPattern = new RegExp(
  `^${provinceCharacter}[A-Z](${serialCharacter}{5}|${serialCharacter}{4}[挂学警港澳领试超])$`,
)

/** Small cars: the letter first (粤BD12345); large ones: the letter last (粤B12345D). */
const newEnergyPattern = new RegExp(
  `^${provinceCharacter}[A-Z](${energyLetter}${serialCharacter}\\d{4}|\\d{5}${energyLetter})$`,
)

/** 使馆 plates, and those of the armed police and forces, which also drive into estates. */
const specialPattern =
  /^(\d{6}使|使\d{6}|WJ[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼]?\d{4}[\dA-Z]|[VKHBSLJNGCEZ][A-DKMOPRV]\d{5})$/

export type LicencePlateKind = 'ordinary' | 'newEnergy' | 'special'

/**
 * Which kind of mainland plate a text is, written as kept (capitals, no dot: `normalizePlate`); nothing when
 * it is none.
 */
export function licencePlateKind(text: string): LicencePlateKind | undefined {
  if (newEnergyPattern.test(text)) return 'newEnergy'
  if (ordinaryPattern.test(text)) return 'ordinary'
  return specialPattern.test(text) ? 'special' : undefined
}

/**
 * A plate as kept: a code in capitals without the dot people write after the letter: `粤b·12345` → `粤B12345`.
 */
export const normalizePlate = (text: string): string =>
  normalizeCode(text)
    .replace(/[·•・.-]/g, '')
    .toUpperCase()

const plateHint = '如 粤B12345，新能源 粤BD12345'

/** The form rule of a licence plate (0§5), for plates as kept. */
export const plateRule = {
  ...defineRule('plate', '车牌号', plateHint, plate => {
    if (countCharacters(plate) > 8) return '车牌号最多8个字符'
    return licencePlateKind(plate) ? undefined : `车牌号格式不正确，${plateHint}`
  }),
  normalize: normalizePlate,
}

/** For a plate as people type it, in small letters or with the dot: its reader normalizes it. */
export const typedPlateRule = {
  ...plateRule,
  test: (text: string): string | undefined => plateRule.test(normalizePlate(text)),
}
