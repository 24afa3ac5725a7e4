import { send } from '#kit/web/send.ts'
import type { ResidentAddress } from '#modules/resident-page/web/public.resident-frame.tsx'
import { checkInAtPlace, type HomeActivity } from '../contract/home.ts'

interface PlaceProps {
  readonly address: ResidentAddress
  readonly page: HomeActivity
  readonly placeCode: string
  readonly isBusy: boolean
  readonly run: (action: () => Promise<HomeActivity>, doneText: string) => Promise<void>
}

/** Above the activity, for who stands before its code. */
export function PlaceCheckIn({ address, page, placeCode, isBusy, run }: PlaceProps) {
  if (page.ownState === 'checkedIn') return null
  if (page.ownState !== 'signed')
    return (
      <section>
        <p>{page.ownState === 'waiting' ? '候补中，尚未获得名额，不能签到' : '未报名，不能签到'}</p>
      </section>
    )
  return (
    <section aria-label="签到">
      <button
        type="button"
        className="big primary"
        disabled={isBusy}
        onClick={() =>
          void run(
            () => send(checkInAtPlace, { ...address, code: placeCode }, { quiet: true, project: 0 }),
            '签到成功',
          )
        }
      >
        签到
      </button>
    </section>
  )
}
