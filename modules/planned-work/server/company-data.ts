import { type CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: {
    work_figure: {
      label: '计划任务日统计',
      // Counted again from the steps whenever a day changes.
      omitted: 'transient',
    },
  },
}
