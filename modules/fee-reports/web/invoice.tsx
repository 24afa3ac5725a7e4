import { issuedInvoices } from '../contract/invoice.ts'
import { ReportPage } from './report-page.tsx'
import { invoiceDrilldown } from './drilldowns-invoice.ts'
import { paths } from './paths.ts'

/** 发票报表: what was invoiced and what was taken back in red. */
export default function InvoicePage() {
  return (
    <ReportPage
      report={issuedInvoices}
      path={paths.invoice}
      dateFilter="day"
      barFilters={['day', 'invoiceType', 'buildCode']}
      topTotals={['blue', 'red', 'total']}
      drilldowns={invoiceDrilldown}
    />
  )
}
