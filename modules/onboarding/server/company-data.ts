import { type CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: {
    onboarding: {
      label: '开通向导',
      columns: { closed: '已关闭', sample_code: '示例项目', sample_time: '示例时间' },
    },
  },
}
