import type { Option, RefSource } from '#kit/web/refs.ts'
import { send } from '#kit/web/send.ts'
import { listMerchants, merchantsByName, type Merchant } from '../../contract/merchant.ts'

const optionOf = (m: Merchant): Option => ({
  value: String(m.id),
  label: m.name,
  note: m.roomPath,
  off: m.state === 'ended' ? '已注销' : undefined,
})

const within = (given: Readonly<Record<string, unknown>>): object =>
  given.projectCode ? { projectCode: String(given.projectCode) } : {}

/** Merchants by a part of the name; the first ones of the project for no word. */
const source: RefSource = {
  find: async (word, given) =>
    (word
      ? await send(merchantsByName, { name: word, ...within(given) }, { quiet: true })
      : (await send(listMerchants, { page: 1, size: 50, ...within(given) }, { quiet: true })).rows
    ).map(optionOf),
  name: async ids =>
    (
      await send(listMerchants, { ids: [...ids], page: 1, size: Math.max(1, ids.length) }, { quiet: true })
    ).rows.map(optionOf),
  hangsOn: ['projectCode'],
}

export default source
