import type { CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  tables: {
    park_shift_charge: {
      label: '当班的停车收费',
      columns: {
        charge_id: '停车收费记录编号',
        shift_id: '当班编号',
        project_code: '项目编码',
      },
    },
  },
}
