import { Empty } from '#kit/web/page-feedback.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { QrCode } from '#kit/web/qr-code.tsx'
import { useCall } from '#kit/web/query.ts'
import { getPlaceCode, type Activity } from '../contract/activity.ts'
import './activities.css'

/** 签到码: what hangs at the place, scanned by who signed up. */
export function PlaceCode({ of: { id, state, title } }: { readonly of: Activity }) {
  const isPublished = state === 'published'
  const code = useCall(getPlaceCode, { id }, { quiet: true, enabled: isPublished })
  if (!isPublished) return <Empty text="活动发布后显示签到码" />
  return (
    <Loaded query={code} height={260} rows={5}>
      {({ url }) => (
        <div className="activity-code">
          <QrCode aria-label={`${title}的签到码`} value={new URL(url, location.origin).href} size={220} />
          <p>在现场展示，已报名的住户扫码签到；开始前 2 小时至结束有效。</p>
        </div>
      )}
    </Loaded>
  )
}
