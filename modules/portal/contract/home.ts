import { call, everyone } from '#kit/contract/call.ts'
import { flag, lines, pickFields } from '#kit/contract/field.ts'
import { byId, recordOf, shape } from '#kit/contract/shape.ts'
import { portalImageText, portalProject, portalService, portalWebsite } from './entry.ts'

const shown = ['id', 'title', 'category', 'content', 'linkUrl', 'cover'] as const
const isPinned = flag('置顶', { required: true, wire: 'IsTop' })

/** What staff find on the portal: what is switched on, pinned first; of image texts the beginning. */
export const getPortal = call({
  route: 'GET NinternalPortal/Get',
  title: '门户首页',
  needs: everyone,
  input: shape({}),
  output: shape(
    {
      websites: lines(
        '常用网站',
        { ...pickFields(portalWebsite.fields, shown), isPinned },
        { required: true, wire: 'Websites' },
      ),
      services: lines(
        '内部服务',
        { ...pickFields(portalService.fields, shown), isPinned },
        { required: true, wire: 'Services' },
      ),
      projects: lines(
        '项目介绍',
        { ...pickFields(portalProject.fields, shown), isPinned },
        { required: true, wire: 'Projects' },
      ),
      imageTexts: lines(
        '图文',
        { ...pickFields(portalImageText.fields, shown), isPinned },
        { required: true, wire: 'ImageTexts' },
      ),
    },
    { entity: 'portal' },
  ),
})

export type PortalItem = NonNullable<typeof getPortal.output.T>['websites'][number]

/** One image text, whole, as long as it is switched on. */
export const getPortalImageText = call({
  route: 'GET NinternalPortal/GetImagetext',
  title: '查看图文',
  needs: everyone,
  input: byId,
  output: recordOf(portalImageText),
})
