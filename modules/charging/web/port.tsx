import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { displayYuan, type Fen } from '#kit/domain/money.ts'
import { PhoneField } from '#kit/web/phone/phone-field.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { newUuid } from '#kit/web/send.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { portState } from '../contract/choices.ts'
import { openPort, placeChargerOrder, type PortPage } from '../contract/payer.ts'
import { describeProblem, Frame, incompleteCode, Placeholder } from './payer-frame.tsx'

const refetchMs = 15_000

/** A package by its hours, or an amount that is prepaid. */
interface Choice {
  readonly key: string
  readonly label: string
  readonly price: Fen
  readonly input: { readonly hours?: number; readonly amount?: Fen }
}

const choicesOf = ({ packages, amounts }: PortPage): readonly Choice[] => [
  ...packages.map(({ hours, price }) => ({
    key: `h${hours}`,
    label: `${hours} 小时`,
    price,
    input: { hours },
  })),
  ...amounts.map(({ amount }) => ({
    key: `a${amount}`,
    label: `${displayYuan(amount)} 元`,
    price: amount,
    input: { amount },
  })),
]

function PayForm({ token, page }: { readonly token: string; readonly page: PortPage }) {
  const choices = choicesOf(page)
  const [chosenKey, setChosenKey] = useState<string>()
  const [mobile, setMobile] = useState('')
  const placing = useSend(placeChargerOrder, { quiet: true, project: 0 })
  const chosen = choices.find(({ key }) => key === chosenKey) ?? choices[0]
  const phone = mobile.trim()
  // One order of the same choice, however fast the button is pressed.
  const requestKey = useMemo(() => `${chosen?.key}${phone}` && newUuid(), [chosen?.key, phone])
  const pay = async (): Promise<void> => {
    if (!chosen) return
    const placed = await placing.mutateAsync({
      token,
      requestKey,
      ...chosen.input,
      ...(phone === '' ? {} : { mobile: phone }),
    })
    location.assign(placed.payUrl)
  }
  return (
    <>
      <section aria-label="预付">
        <h2>{page.packages.length ? '选择套餐' : '预付金额'}</h2>
        <div className="choices">
          {choices.map(choice => (
            <button
              type="button"
              className="big"
              key={choice.key}
              aria-pressed={choice.key === chosen?.key}
              onClick={() => setChosenKey(choice.key)}
            >
              {choice.label}
              {page.packages.length > 0 && <small>{displayYuan(choice.price)} 元</small>}
            </button>
          ))}
        </div>
        {!page.packages.length && <small>按实际用电结算，余款原路退回</small>}
        <PhoneField label="手机号" hint="选填，用于退款时联系">
          {control => (
            <input
              {...control}
              inputMode="tel"
              maxLength={11}
              autoComplete="tel"
              value={mobile}
              onChange={event => setMobile(event.target.value)}
            />
          )}
        </PhoneField>
        {placing.isError && (
          <p className="fault" role="alert">
            {describeProblem(placing.error)}
          </p>
        )}
      </section>
      <button
        type="button"
        className="big primary"
        disabled={!chosen || placing.isPending}
        onClick={() => void pay().catch(() => undefined)}
      >
        支付{chosen && ` ${displayYuan(chosen.price)} 元`}并充电
      </button>
    </>
  )
}

function OpenedPort({ token }: { readonly token: string }) {
  const opened = useCall(openPort, { token }, { quiet: true, project: 0, staleMs: 0, refetchMs })
  const page = opened.data
  if (!page) return <Placeholder error={opened.error} onRetry={() => void opened.refetch()} />
  return (
    <Frame site={page}>
      <main>
        <section aria-label="端口">
          <div className="charge-head">
            <b>
              {page.hubName} {page.portNo} 号
            </b>
            <ChoiceStatus choices={portState} value={page.portState} />
          </div>
          <small>桩号 {page.hubNo}</small>
          <ul className="prices" aria-label="价格">
            {page.prices.map(line => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </section>
        {page.refusal === undefined ? (
          <PayForm token={token} page={page} />
        ) : (
          <section>
            <p className="refused" role="alert">
              {page.refusal}
            </p>
          </section>
        )}
      </main>
    </Frame>
  )
}

/** 扫码充电: what a port costs, and its payment, without an account. */
export default function PortPageByCode() {
  const [params] = useSearchParams()
  const token = params.get('t')?.trim() ?? ''
  return token ? <OpenedPort token={token} key={token} /> : <Placeholder error={incompleteCode} />
}
