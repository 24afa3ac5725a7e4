import { secretColumn, type CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: {
    access_record: { columns: { item_key: secretColumn('凭证') } },
    access_dirty: { label: '待重新计算的门禁权限', omitted: 'transient' },
    pass_code: { omitted: 'secret' },
    person_link: { label: '通行链接', omitted: 'secret' },
    access_plan_day: { label: '门禁权限的计算日期', omitted: 'transient' },
  },
}
