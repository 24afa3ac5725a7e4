import { useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { useStored } from '#kit/web/browser-store.ts'
import { useCall } from '#kit/web/query.ts'
import '#kit/web/phone/phone.css'
import { openPayerPage } from '../contract/payer.ts'
import { carKeyName, EnterAtBooth, EnterByCode, EnteredCar, LeaveByCode } from './lane-pass.tsx'
import { PlateQuery } from './plate-query.tsx'
import { describeProblem, incompleteCode } from './problem.ts'
import { Receipt } from './receipt.tsx'
import { StayBill, type AskedCar } from './stay-bill.tsx'
import './pay.css'

type Place = NonNullable<typeof openPayerPage.output.T>

const anonymous = { quiet: true, project: 0, staleMs: 0 } as const

function Frame({ place, children }: { readonly place: Place | undefined; readonly children: ReactNode }) {
  const note = place && [place.estateName, place.laneName].filter(Boolean).join(' · ')
  return (
    <div className="phone park-pay">
      <header>
        <div>
          <h1>{place?.parkName ?? '停车缴费'}</h1>
          {place?.servicePhone !== undefined && (
            <a className="big call" href={`tel:${place.servicePhone}`} aria-label="拨打物业电话">
              电话
            </a>
          )}
        </div>
        {note !== undefined && <small>{note}</small>}
      </header>
      <main>{children}</main>
    </div>
  )
}

interface ChoiceProps {
  readonly code: string
  readonly carKey: string | undefined
  readonly place: Place
  readonly onCar: (car: AskedCar) => void
}

/** What can be done where the code hangs: come in without a plate, go out, or pay. */
function Choices({ code, carKey, place, onCar }: ChoiceProps) {
  const { direction, canEnter, ownPlate, waitingPlate } = place
  const isExit = direction === 'exit' || direction === 'both'
  const isEntrance = direction === 'entrance' || direction === 'both'
  const own = carKey !== undefined && ownPlate !== undefined ? { carKey, plateNo: ownPlate } : undefined
  return (
    <>
      {isEntrance && !own && (canEnter ? <EnterByCode code={code} carKey={carKey} /> : <EnterAtBooth />)}
      {own && isExit && <LeaveByCode code={code} {...own} onDue={() => onCar({ carKey: own.carKey })} />}
      {own && !isExit && <EnteredCar plateNo={own.plateNo} onFee={() => onCar({ carKey: own.carKey })} />}
      {waitingPlate !== undefined && (
        <button type="button" className="big primary" onClick={() => onCar({ plateNo: waitingPlate })}>
          {waitingPlate} 缴费
        </button>
      )}
      {direction !== 'entrance' && <PlateQuery onPlate={plateNo => onCar({ plateNo })} />}
    </>
  )
}

function Opened({ code, receipt }: { readonly code: string; readonly receipt: string | undefined }) {
  const [carKey] = useStored<string | undefined>(carKeyName, undefined)
  const [, setParams] = useSearchParams()
  const opened = useCall(openPayerPage, { code, carKey }, { ...anonymous, keepPrevious: true })
  const [car, setCar] = useState<AskedCar>()
  const place = opened.data
  const back = (): void => {
    setCar(undefined)
    setParams({ t: code })
    void opened.refetch()
  }
  if (!place)
    return (
      <Frame place={undefined}>
        <p className="empty" role={opened.error ? 'alert' : 'status'}>
          {opened.error ? describeProblem(opened.error) : '正在加载…'}
        </p>
      </Frame>
    )
  return (
    <Frame place={place}>
      {receipt !== undefined && <Receipt receipt={receipt} onBack={back} />}
      {receipt === undefined && car && (
        <StayBill code={code} car={car} onReceipt={paid => setParams({ t: code, r: paid })} onBack={back} />
      )}
      {receipt === undefined && !car && <Choices code={code} carKey={carKey} place={place} onCar={setCar} />}
    </Frame>
  )
}

/** 停车缴费: the page of a driver, without an account, by the code of a car park or of a lane. */
export default function PayPage() {
  const [params] = useSearchParams()
  const code = params.get('t')?.trim() ?? ''
  const receipt = params.get('r')?.trim() || undefined
  if (!code)
    return (
      <Frame place={undefined}>
        <p className="empty" role="alert">
          {incompleteCode.message}
        </p>
      </Frame>
    )
  return <Opened code={code} receipt={receipt} key={code} />
}
