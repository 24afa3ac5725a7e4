import { Link } from 'react-router'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import {
  ResidentFrame,
  ResidentPlaceholder,
  type ResidentAddress,
} from '#modules/resident-page/web/public.resident-frame.tsx'
import { getResidentOrder } from '../contract/bills.ts'
import { anonymousOptions, backToBills, payPathOf, receiptPath } from './bill-pages.ts'

type Result = NonNullable<typeof getResidentOrder.output.T>

const title = '支付结果'
const refetchMs = 2500

const isUndecided = ({ state }: Result): boolean => state === 'waiting' || state === 'paying'

function outcomeOf(result: Result): readonly [outcome: string, hint: string | undefined] {
  if (result.state === 'refunded') return ['款项已退回', '原路到账']
  if (result.state === 'paid')
    return result.isCredited
      ? ['款项已转入预存', '账单已由其他方式缴清，预存可抵扣以后的账单，如需退款请联系物业']
      : ['缴费成功', undefined]
  if (result.state === 'failed') return ['支付失败', '可返回账单重新支付；如已扣款，请稍后查看缴费记录']
  return isUndecided(result)
    ? ['正在确认支付结果', '付款后自动显示结果']
    : ['支付未完成', '如已付款，请稍后查看缴费记录']
}

function Outcome({ address, orderNo, result }: OutcomeProps) {
  const [outcome, hint] = outcomeOf(result)
  const { recordId } = result
  return (
    <main>
      <section className="outcome" aria-label={title}>
        <p role="status">{outcome}</p>
        <b>{displayYuanWithSymbol(result.amount)}</b>
        {hint !== undefined && <small>{hint}</small>}
      </section>
      <div className="actions">
        <Link className="big" to={backToBills(address).path}>
          返回账单
        </Link>
        {result.state === 'paid' && !result.isCredited && recordId !== undefined && (
          <Link className="big" to={receiptPath(address, recordId)}>
            查看收据
          </Link>
        )}
        {result.state === 'waiting' && (
          <a className="big" href={payPathOf(address, { url: result.url, orderNo })}>
            继续支付
          </a>
        )}
      </div>
    </main>
  )
}

interface Props {
  readonly address: ResidentAddress
  readonly orderNo: string
}

interface OutcomeProps extends Props {
  readonly result: Result
}

/** How a payment went; asked again until it is decided. */
export function OrderResult({ address, orderNo }: Props) {
  const asked = useCall(getResidentOrder, { ...address, orderNo }, { ...anonymousOptions, refetchMs })
  const result = asked.data
  if (!result)
    return <ResidentPlaceholder title={title} error={asked.error} onRetry={() => void asked.refetch()} />
  return (
    <div className="resident-bills">
      <ResidentFrame
        title={title}
        note={`${result.estateName} ${result.placeName}`}
        servicePhone={result.servicePhone}
        back={backToBills(address)}
      >
        <Outcome address={address} orderNo={orderNo} result={result} />
      </ResidentFrame>
    </div>
  )
}
