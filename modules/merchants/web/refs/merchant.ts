import { createRefSource } from '#kit/web/refs.ts'
import { send } from '#kit/web/send.ts'
import { findMerchantsByName, pickMerchants } from '../../contract/merchant.ts'

/** Merchants by a part of the name; the first ones of the project for no word. */
export default createRefSource(pickMerchants, {
  value: merchant => merchant.id,
  label: merchant => merchant.name,
  note: merchant => merchant.roomPath,
  disabledReason: merchant => (merchant.state === 'ended' ? '已注销' : undefined),
  ofFormProject: true,
  find: (name, { projectCode }) =>
    send(
      findMerchantsByName,
      { name, ...(projectCode ? { projectCode: String(projectCode) } : {}) },
      { quiet: true },
    ),
  inputForValues: ids => ({ ids: [...ids] }),
})
