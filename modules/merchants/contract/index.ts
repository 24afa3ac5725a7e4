import * as m from './merchant.ts'

export const contract = {
  base: 'merchant/v1',
  calls: [
    ...m.merchants.calls,
    m.pickMerchants,
    m.listOpenMerchants,
    m.findMerchantsByName,
    ...m.merchantStaffs.calls,
    ...m.importMerchants.calls,
    ...m.exportMerchants.calls,
  ],
  entities: [m.merchant, m.merchantStaff],
  choices: [m.merchantState, m.merchantRole, m.merchantStaffState],
}
