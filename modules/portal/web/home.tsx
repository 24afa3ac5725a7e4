import { useCall } from '#kit/web/query.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { getPortal } from '../contract/home.ts'
import { ImageTextCards, ProjectList, ServiceList, WebsiteTiles } from './home-entries.tsx'
import { OwnNotices } from './own-notices.tsx'
import './portal.css'

/** 门户首页: the notices to read, and what staff look for in their company. */
export default function PortalHome() {
  const portal = useCall(getPortal, {}, { quiet: true, keepPrevious: true })
  return (
    <div className="portal-page">
      <div className="portal-home">
        <div className="portal-main">
          <OwnNotices />
          <Loaded query={portal} height={240} rows={5} keepsAnswer>
            {({ imageTexts }) => <ImageTextCards items={imageTexts} />}
          </Loaded>
        </div>
        <div className="portal-side">
          <Loaded query={portal} height={480} rows={10} width={[120, 160]} keepsAnswer>
            {({ websites, services, projects }) => (
              <>
                <WebsiteTiles items={websites} />
                <ServiceList items={services} />
                <ProjectList items={projects} />
              </>
            )}
          </Loaded>
        </div>
      </div>
    </div>
  )
}
