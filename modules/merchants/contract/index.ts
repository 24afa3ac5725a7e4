import * as m from './merchant.ts'

export const contract = {
  calls: [
    m.listMerchants,
    m.listOpenMerchants,
    m.findMerchantsByName,
    m.getMerchant,
    m.addMerchant,
    m.editMerchant,
    m.deleteMerchants,
    m.listMerchantStaff,
    m.saveMerchantStaff,
    m.deleteMerchantStaff,
    ...m.importMerchants.calls,
    ...m.exportMerchants.calls,
  ],
  entities: [m.merchant, m.merchantStaff],
  choices: [m.merchantState, m.merchantRole, m.merchantStaffState],
}
