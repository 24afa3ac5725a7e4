import { MediaField } from '#kit/web/phone/media-field.tsx'
import { PhoneField } from '#kit/web/phone/phone-field.tsx'
import { maxVideoBytes } from '../contract/work-order.ts'
import type { Report } from './resident-report.ts'

const maxVideos = 2

/** What is wrong, where exactly, and whom to ask. */
export function ReportFields({
  report,
  maxPhotos,
  isRoom,
}: {
  readonly report: Report
  readonly maxPhotos: number
  readonly isRoom: boolean
}) {
  const { text, setText, reporter, setReporter, photos, videos, faults } = report
  return (
    <>
      <PhoneField label="情况说明" isRequired fault={faults.content}>
        {control => (
          <textarea
            {...control}
            rows={4}
            maxLength={2000}
            value={text.content}
            onChange={event => setText({ ...text, content: event.target.value })}
          />
        )}
      </PhoneField>
      <label className="field">
        <span className="label">
          具体位置<small>选填</small>
        </span>
        <input
          maxLength={60}
          placeholder={isRoom ? '如 厨房水槽下' : '如 电梯口左侧'}
          value={text.address}
          onChange={event => setText({ ...text, address: event.target.value })}
        />
      </label>
      <MediaField
        label="图片"
        kind="image"
        items={photos.items}
        max={maxPhotos}
        hint={`选填，最多 ${maxPhotos} 张`}
        isBusy={photos.isBusy}
        fault={photos.fault}
        onAdd={photos.add}
        onRemove={photos.remove}
      />
      <MediaField
        label="视频"
        kind="video"
        items={videos.items}
        max={maxVideos}
        hint={`选填，最多 ${maxVideos} 段，每段不超过 ${maxVideoBytes / 1024 / 1024} MB`}
        isBusy={videos.isBusy}
        fault={videos.fault}
        onAdd={videos.add}
        onRemove={videos.remove}
      />
      <PhoneField label="联系电话" isRequired fault={faults.phone}>
        {control => (
          <input
            {...control}
            type="tel"
            autoComplete="tel"
            maxLength={20}
            value={reporter.phone}
            onChange={event => setReporter({ ...reporter, phone: event.target.value })}
          />
        )}
      </PhoneField>
      <label className="field">
        <span className="label">
          称呼<small>选填</small>
        </span>
        <input
          maxLength={40}
          autoComplete="name"
          value={reporter.name}
          onChange={event => setReporter({ ...reporter, name: event.target.value })}
        />
      </label>
      <label className="field">
        <span className="label">
          预约上门时间<small>选填</small>
        </span>
        <input
          type="datetime-local"
          value={text.appoint}
          onChange={event => setText({ ...text, appoint: event.target.value })}
        />
      </label>
      <label className="tick">
        <input
          type="checkbox"
          checked={report.isUrgent}
          onChange={event => report.setUrgent(event.target.checked)}
        />
        情况紧急（如漏水、停电、被困）
      </label>
    </>
  )
}
