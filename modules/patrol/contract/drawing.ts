import { call } from '#kit/contract/call.ts'
import { decimal, file, idOf, lines, part, text } from '#kit/contract/field.ts'
import { byId, noData, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'

const { permissions } = menu.point

const place = (label: string) => decimal(label, { required: true, scale: 2, min: 0, max: 100 })

/** Where a point is on the drawing, in hundredths from the left and from the top. */
export const placeFields = {
  pointId: idOf('点位', { required: true, min: 1, wire: 'LocationID' }),
  x: place('横向位置'),
  y: place('纵向位置'),
}

/** A drawing with the points of a road that are placed on it. */
export const roadDrawing = part(
  '平面图',
  {
    areaName: text('区域', { required: true, wire: 'AreaName' }),
    image: file('图片', { required: true, wire: 'Image' }),
    places: lines('位置', placeFields, { required: true, wire: 'Places' }),
  },
  { wire: 'Drawing' },
)

/** The points of an area, with where they are on its drawing. */
export const getAreaDrawing = call({
  route: 'GET PatrolArea/GetDrawing',
  title: '查看巡更区域平面图',
  needs: permissions.view,
  input: byId,
  output: shape({
    id: idOf('编号', { required: true, wire: 'ID' }),
    areaName: text('区域', { required: true, wire: 'AreaName' }),
    image: file('平面图', { wire: 'Image' }),
    points: lines(
      '点位',
      {
        id: idOf('点位', { required: true, wire: 'LocationID' }),
        name: text('名称', { required: true, wire: 'LocationName' }),
      },
      { required: true, wire: 'Points' },
    ),
    places: lines('位置', placeFields, { required: true, wire: 'Places' }),
  }),
})

/** All points of the area: those that are not sent are on the drawing no more. */
export const savePlaces = call({
  route: 'PUT PatrolArea/PutPlaces',
  title: '布置巡更点位',
  needs: permissions.edit,
  affects: ['patrolArea', 'patrolPoint', 'patrolRoad'],
  input: shape({
    id: idOf('区域', { required: true, min: 1, wire: 'ID' }),
    places: lines('图上位置', placeFields, { max: 500, wire: 'Places' }),
  }),
  output: noData,
})
