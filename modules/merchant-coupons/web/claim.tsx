import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useCall } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { claimCoupon, openClaim, type ClaimPage } from '../contract/claim.ts'
import { describeProblem, Head, incompleteLink, Placeholder } from './phone-frame.tsx'
import { isWholePlate, PlateKeys } from '#modules/parking/web/public.plate-keys.tsx'

const title = '领取停车券'

const CouponFacts = ({ page }: { readonly page: ClaimPage }) => (
  <section className="coupon-card">
    <b>{page.couponName}</b>
    <span className="worth">{page.valueText}</span>
    <small>
      {page.merchantName} · {page.parkName}
    </small>
  </section>
)

function ClaimOpened({ token }: { readonly token: string }) {
  const opened = useCall(openClaim, { token }, { quiet: true, project: 0, staleMs: 0 })
  const [plateNo, setPlateNo] = useState('')
  const [claimed, setClaimed] = useState<ClaimPage>()
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const page = claimed ?? opened.data
  if (!page) return <Placeholder title={title} error={opened.error} onRetry={() => void opened.refetch()} />
  const claim = async (): Promise<void> => {
    setFault(undefined)
    setBusy(true)
    try {
      setClaimed(await send(claimCoupon, { token, plateNo }, { quiet: true }))
    } catch (error) {
      setFault(describeProblem(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="phone coupon-phone">
      <Head title={title} note={page.estateName} servicePhone={page.servicePhone} />
      <main>
        <CouponFacts page={page} />
        {claimed?.plateNo !== undefined && (
          <p className="taken" role="status">
            <b>{claimed.plateNo}</b> 已领取，{claimed.validTo} 前有效，缴费时自动抵扣
          </p>
        )}
        {!claimed && page.refusal !== undefined && (
          <p className="fault" role="alert">
            {page.refusal}
          </p>
        )}
        {!claimed && page.refusal === undefined && <PlateKeys value={plateNo} onChange={setPlateNo} />}
      </main>
      {!claimed && page.refusal === undefined && (
        <div className="foot one">
          {fault !== undefined && (
            <p className="fault" role="alert">
              {fault}
            </p>
          )}
          <button
            type="button"
            className="big primary"
            disabled={!isWholePlate(plateNo) || isBusy}
            onClick={() => void claim()}
          >
            领取
          </button>
        </div>
      )}
    </div>
  )
}

/** 领取停车券: by the code of a merchant, without an account. */
export default function ClaimPageByCode() {
  const [params] = useSearchParams()
  const token = params.get('t')?.trim() ?? ''
  if (!token) return <Placeholder title={title} error={incompleteLink} onRetry={() => {}} />
  return <ClaimOpened token={token} key={token} />
}
