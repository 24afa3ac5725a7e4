import type { CompanyData } from '#kit/server/company-data/declaration.ts'

export const companyData: CompanyData = {
  // Labels that were printed and hung up are to be valid where the company moves to.
  tables: { patrol_point: { columns: { run_qr_code: '二维码内容' } } },
}
