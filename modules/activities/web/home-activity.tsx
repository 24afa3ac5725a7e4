import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { parseId, type Id } from '#kit/domain/id.ts'
import { queryClient, queryKeyOf, useCall } from '#kit/web/query.ts'
import { RichText } from '#kit/web/rich-text/rich-text.tsx'
import { toast } from '#kit/web/toast.ts'
import {
  describeResidentProblem,
  missingResidentToken,
  residentAddressOf,
  ResidentFrame,
  ResidentPlaceholder,
  useResidentAddress,
  type ResidentAddress,
} from '#modules/resident-page/web/public.resident-frame.tsx'
import { openHomeActivity, openPlace, type HomeActivity } from '../contract/home.ts'
import { paths } from '../module.ts'
import { ActivityFacts } from './activity-facts.tsx'
import { OwnSign } from './own-sign.tsx'
import { PlaceCheckIn } from './place-check-in.tsx'
import './phone.css'

const title = '活动详情'

interface OpenedProps {
  readonly address: ResidentAddress
  readonly id: Id
  /** Of the code at the place. */
  readonly placeCode?: string | undefined
}

function OpenedActivity({ address, id, placeCode }: OpenedProps) {
  const asked = { ...address, id }
  const opened = useCall(openHomeActivity, asked, { quiet: true, project: 0, staleMs: 0 })
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const page = opened.data
  if (!page)
    return <ResidentPlaceholder title={title} error={opened.error} onRetry={() => void opened.refetch()} />
  const run = async (action: () => Promise<HomeActivity>, doneText: string): Promise<void> => {
    setFault(undefined)
    setBusy(true)
    try {
      queryClient.setQueryData(queryKeyOf(openHomeActivity, asked, 0), await action())
      toast.success(doneText)
    } catch (error) {
      setFault(describeResidentProblem(error))
    }
    setBusy(false)
  }
  return (
    <ResidentFrame
      title={page.title}
      note={page.estateName}
      servicePhone={page.servicePhone}
      back={{ path: residentAddressOf(paths.homeActivities, address), label: '社区活动' }}
    >
      <main>
        {placeCode !== undefined && <PlaceCheckIn {...{ address, page, placeCode, isBusy, run }} />}
        {page.coverUrl !== undefined && <img className="activity-cover" src={page.coverUrl} alt="" />}
        <ActivityFacts page={page} />
        <section aria-label="活动内容">
          <RichText html={page.content} />
        </section>
        {fault !== undefined && (
          <p className="fault" role="alert">
            {fault}
          </p>
        )}
        <OwnSign {...{ address, page, isBusy, run }} />
      </main>
    </ResidentFrame>
  )
}

/** The code at the place, scanned: who has signed in on this phone checks in, others sign in first. */
function ScannedPlace({ address, code }: { readonly address: ResidentAddress; readonly code: string }) {
  const opened = useCall(openPlace, { code }, { quiet: true, project: 0, staleMs: 0 })
  const place = opened.data
  if (!place)
    return <ResidentPlaceholder title="活动签到" error={opened.error} onRetry={() => void opened.refetch()} />
  if (address.token) return <OpenedActivity address={address} id={place.id} placeCode={code} />
  return (
    <ResidentFrame title="活动签到" note={place.estateName}>
      <main>
        <section>
          <h2>{place.title}</h2>
          <p>请先登录住户页，再次扫码签到；也可以请现场工作人员签到。</p>
          <Link className="big primary as-button" to={place.signInUrl}>
            登录住户页
          </Link>
        </section>
      </main>
    </ResidentFrame>
  )
}

/** 活动详情: sign up, cancel, show the code, check in. */
export default function HomeActivityPage() {
  const [params] = useSearchParams()
  const address = useResidentAddress()
  const code = params.get('c')?.trim() ?? ''
  const id = parseId(params.get('id') ?? '')
  if (code !== '') return <ScannedPlace address={address} code={code} />
  if (!address.token || !id) return <ResidentPlaceholder title={title} error={missingResidentToken} />
  return <OpenedActivity address={address} id={id} key={id} />
}
