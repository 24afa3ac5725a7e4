import { flag, lookup, moment, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'

// What a gateway and a device have in common, under the same names.

/** What the site says of itself: shown, never entered. */
export const reported = { immutable: true, hiddenIn: ['form', 'filter', 'sheet'] } as const

export const estateNameField = lookup('项目', 'projectCode', 'name', { wire: 'EstateName' })

export const numberField = (label: string) =>
  text(label, {
    max: 30,
    rule: rules.lettersDigits,
    immutable: true,
    searchable: true,
    help: '公司内唯一；不填则自动生成',
  })

export const nameField = (label: string) =>
  text(label, { required: true, max: 60, searchable: true, wire: ['DevName', 'Name'] })

export const remarkField = text('备注', { max: 200, hiddenIn: ['table', 'filter'] })

/** The state of its connection now. */
export const connectionFields = {
  isOnline: flag('在线', { required: true, initial: false, immutable: true, wire: 'Online' }),
  lastBeat: moment('心跳', reported),
}
