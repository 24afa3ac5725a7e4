import { ExportPage } from '#kit/web/transfer/export-page.tsx'
import { companies } from '../contract/company.ts'
import { exportCompanies } from '../contract/import-export.ts'

export const ExportCompaniesPage = () => (
  <ExportPage
    spec={exportCompanies}
    list={companies.list}
    itemName="企业"
    columns={exportCompanies.columns}
    filters={['state', 'industry', 'inDate', 'createTime']}
  />
)
