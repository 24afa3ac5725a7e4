import { ExportPage } from '#kit/web/transfer/export-page.tsx'
import { listCompanies } from '../contract/company.ts'
import { companyColumns, exportCompanies } from '../contract/transfer.ts'

export const ExportCompaniesPage = () => (
  <ExportPage
    of={exportCompanies}
    list={listCompanies}
    what="企业"
    columns={companyColumns}
    filters={['state', 'industry', 'inDate', 'createTime']}
  />
)
