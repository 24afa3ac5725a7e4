import { type CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: {
    estate_setting: { label: '项目参数', columns: { project_code: '项目', key: '参数', value: '值' } },
  },
}
