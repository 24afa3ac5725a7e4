import { secretColumn, type CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: {
    // Without its password it opens nothing until it is reset.
    merchant_account: { columns: { run_password: secretColumn('密码') } },
    merchant_session: { label: '商户登录状态', omitted: 'secret' },
  },
}
