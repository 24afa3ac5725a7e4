import { defineRule } from '#kit/contract/rules.ts'
import { normalizeCode } from '#kit/contract/text.ts'

/** The number of a tag as kept: `04:A2:2B` → `04a22b`. */
export const normalizeTagNumber = (text: string): string =>
  normalizeCode(text).replaceAll(/[:-]/g, '').toLowerCase()

const hint = '字母或数字，可带冒号，如 04:A2:2B:1C'

/** The number of an NFC tag, however its reader writes it. */
export const tagNumberRule = {
  ...defineRule('tagNumber', 'NFC 编号', hint, text =>
    /^[a-z\d]+$/.test(normalizeTagNumber(text)) ? undefined : `只能输入${hint}`,
  ),
  normalize: normalizeTagNumber,
}
