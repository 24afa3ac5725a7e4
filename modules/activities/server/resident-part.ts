import { registerResidentPart } from '#modules/resident-page/server/public.ts'
import { paths } from '../module.ts'
import { refusalFor, stageFor } from '../domain/audience.ts'
import { findHomeActivities } from './home.ts'

registerResidentPart({
  key: 'activities',
  title: '社区活动',
  icon: 'activity',
  order: 20,
  path: paths.homeActivities,
  load: async ({ app, db, resident, home, now }) => {
    const { rows, own } = await findHomeActivities(db, app, { resident, home })
    const open = rows.filter(of => refusalFor(of, home, now) === undefined && !own.has(of.id))
    return {
      count: open.length,
      items: rows
        .filter(of => of.state === 'published' && of.endTime > now)
        .slice(0, 2)
        .map(of => ({
          title: of.title,
          note: `${of.beginTime.slice(5, 16)} · ${stageFor(of, home, now)}`,
          path: `${paths.homeActivity}?id=${of.id}`,
        })),
    }
  },
})
