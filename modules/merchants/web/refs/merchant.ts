import type { Option, RefSource } from '#kit/web/refs.ts'
import { send } from '#kit/web/send.ts'
import { findMerchantsByName, pickMerchants, type PickedMerchant } from '../../contract/merchant.ts'

const optionOf = (merchant: PickedMerchant): Option => ({
  value: String(merchant.id),
  label: merchant.name,
  note: merchant.roomPath,
  disabledReason: merchant.state === 'ended' ? '已注销' : undefined,
})

const projectInput = (formValues: Readonly<Record<string, unknown>>): object =>
  formValues.projectCode ? { projectCode: String(formValues.projectCode) } : {}

/** Merchants by a part of the name; the first ones of the project for no word. */
const merchantSource: RefSource = {
  search: async (word, formValues) =>
    (word
      ? await send(findMerchantsByName, { name: word, ...projectInput(formValues) }, { quiet: true })
      : (await send(pickMerchants, { page: 1, size: 50, ...projectInput(formValues) }, { quiet: true })).rows
    ).map(optionOf),
  resolveNames: async ids =>
    (
      await send(pickMerchants, { ids: [...ids], page: 1, size: Math.max(1, ids.length) }, { quiet: true })
    ).rows.map(optionOf),
  dependsOn: ['projectCode'],
}

export default merchantSource
