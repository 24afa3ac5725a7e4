const province = '[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼]'
// I and O are left out of serial numbers: they would be read as 1 and 0. The letter of the office may be O
// (police, 京O).
const serial = '[A-HJ-NP-Z\\d]'

/** Letters of new-energy plates: D A B C E electric, F G H J K other kinds (GA 36-2018 and its additions). */
const energy = '[A-HJK]'

const ordinary = new RegExp(`^${province}[A-Z](${serial}{5}|${serial}{4}[挂学警港澳领试超])$`)

/** Small cars: the letter first (粤BD12345); large ones: the letter last (粤B12345D). */
const newEnergy = new RegExp(`^${province}[A-Z](${energy}${serial}\\d{4}|\\d{5}${energy})$`)

/** 使馆 plates, and those of the armed police and forces, which also drive into estates. */
const special =
  /^(\d{6}使|使\d{6}|WJ[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼]?\d{4}[\dA-Z]|[VKHBSLJNGCEZ][A-DKMOPRV]\d{5})$/

export type PlateKind = 'ordinary' | 'newEnergy' | 'special'

/**
 * Which kind of mainland plate a text is, written as kept (capitals, no dot: `plateOf`); nothing when it is
 * none.
 */
export const plateKind = (text: string): PlateKind | undefined =>
  newEnergy.test(text)
    ? 'newEnergy'
    : ordinary.test(text)
      ? 'ordinary'
      : special.test(text)
        ? 'special'
        : undefined

export const isPlate = (text: string): boolean => plateKind(text) !== undefined
