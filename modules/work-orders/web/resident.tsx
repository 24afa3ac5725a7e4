import { useSearchParams } from 'react-router'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import '#kit/web/phone/phone.css'
import { ResidentOrder } from './resident-order.tsx'
import { ResidentPlace } from './resident-place.tsx'
import { ResidentProblem } from './resident-problem.tsx'
import './resident.css'

const incompleteLink = new Refused(
  resultCode.notFound,
  '链接不完整，请重新扫描现场的二维码，或打开短信中的完整链接',
)

/** Tokens of orders begin so; the others are of places. */
const isOrderToken = (token: string): boolean => token.startsWith('o.')

/** 报事: a page without an account, behind the code of a room or public area or the link of an order. */
export default function ResidentPage() {
  const [params, setParams] = useSearchParams()
  const token = params.get('t')?.trim() ?? ''
  if (!token) return <ResidentProblem error={incompleteLink} onRetry={() => {}} />
  if (isOrderToken(token)) return <ResidentOrder token={token} key={token} />
  return <ResidentPlace token={token} key={token} onFollow={order => setParams({ t: order })} />
}
