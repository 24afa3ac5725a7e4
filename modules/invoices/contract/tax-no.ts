import type { Rule } from '#kit/contract/field.ts'

/** INV-4 */
export const taxNoRule: Rule = {
  name: 'taxNo',
  test: v => (/^[A-Z0-9]{15,20}$/.test(v) ? undefined : '税号为 15 到 20 位大写字母或数字'),
}
