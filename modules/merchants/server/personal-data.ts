import { inColumn, registerPersonalData } from '#kit/server/personal-data/registry.ts'

registerPersonalData({
  kinds: [
    {
      entity: 'merchantStaff',
      label: '商户员工',
      table: 'merchant_staff',
      name: 'name',
      mobiles: ['mobile'],
    },
  ],
  tables: {
    merchant: {
      purpose: '商户的联系人',
      ground: 'contract',
      columns: {
        contact_name: 'name',
        contact_phone: 'mobile',
        license: 'kept',
        remark: 'text',
      },
      searchText: { names: ['name', 'contact_name'], codes: ['merchant_no', 'contact_phone'] },
    },
    merchant_staff: {
      purpose: '商户员工的通行',
      ground: 'contract',
      people: { merchantStaff: inColumn('id') },
      columns: { name: 'name', mobile: 'mobile', delete_tag: { becomes: '-1' } },
    },
  },
})
