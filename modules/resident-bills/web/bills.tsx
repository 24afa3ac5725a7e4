import { useSearchParams } from 'react-router'
import { parseId } from '#kit/domain/id.ts'
import {
  missingResidentToken,
  ResidentPlaceholder,
  useResidentAddress,
} from '#modules/resident-page/web/public.resident-frame.tsx'
import { pageTitle } from './bill-pages.ts'
import { BillList } from './bill-list.tsx'
import { OrderResult } from './order-result.tsx'
import { Receipt } from './receipt.tsx'
import './bills.css'

/** 我的账单: what a home owes, its payment on the phone and its receipts. */
export default function ResidentBillsPage() {
  const [params] = useSearchParams()
  const address = useResidentAddress()
  const orderNo = params.get('o')?.trim() ?? ''
  const recordId = parseId(params.get('r'))
  if (!address.token) return <ResidentPlaceholder title={pageTitle} error={missingResidentToken} />
  if (recordId) return <Receipt address={address} recordId={recordId} key={recordId} />
  if (orderNo !== '') return <OrderResult address={address} orderNo={orderNo} key={orderNo} />
  return <BillList address={address} key={address.home} />
}
