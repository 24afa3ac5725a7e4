import { residentAddressOf, type ResidentAddress } from '#modules/resident-page/web/public.resident-frame.tsx'
import { paths } from '../module.ts'

export const pageTitle = '我的账单'

export const anonymousOptions = { quiet: true, project: 0, staleMs: 0 } as const

export const resultPath = (address: ResidentAddress, orderNo: string): string =>
  residentAddressOf(`${paths.bills}?o=${encodeURIComponent(orderNo)}`, address)

export const receiptPath = (address: ResidentAddress, recordId: number): string =>
  residentAddressOf(`${paths.bills}?r=${recordId}`, address)

export const backToBills = (address: ResidentAddress) => ({
  path: residentAddressOf(paths.bills, address),
  label: pageTitle,
})

/** As long as the page of an order takes it; the phone keeps the token too. */
const maxBackPath = 200

/** The page of an order, which leads back to its result. */
export function payPathOf(
  address: ResidentAddress,
  { url, orderNo }: { url: string; orderNo: string },
): string {
  const whole = resultPath(address, orderNo)
  const home = address.home === undefined ? '' : `&h=${encodeURIComponent(address.home)}`
  const back = whole.length > maxBackPath ? `${paths.bills}?o=${encodeURIComponent(orderNo)}${home}` : whole
  return `${url}&back=${encodeURIComponent(back)}`
}

export const periodText = ({ beginDate, endDate }: { beginDate: string; endDate: string }): string =>
  beginDate === endDate ? beginDate : `${beginDate} 至 ${endDate}`
