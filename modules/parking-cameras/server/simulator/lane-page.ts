import type { LaneSimulator } from './lane-simulator.ts'

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, character => `&#${character.codePointAt(0)};`)

const laneRow = ({ laneName, way, camera }: LaneSimulator['lanes'][number], i: number): string => `
  <tr>
    <td>${escaped(laneName)}（${way === 'in' ? '入' : '出'}）</td>
    <td>
      <form method="post" action="/cars">
        <input type="hidden" name="lane" value="${i}">
        <input name="plate" placeholder="车牌，不填为无牌" maxlength="8" size="12">
        <input name="confidence" value="96" size="3" inputmode="numeric"> %
        <label><input type="checkbox" name="double"> 报两次</label>
        <button>来车</button>
      </form>
    </td>
    <td>
      <form method="post" action="/camera">
        <input type="hidden" name="lane" value="${i}">
        时钟快 <input name="offset" value="${camera.clockOffset}" size="5" inputmode="numeric"> 秒
        <label><input type="checkbox" name="offline" ${camera.isOffline ? 'checked' : ''}> 断网</label>
        <button>设置</button>${camera.keptCount ? ` 待补报 ${camera.keptCount}` : ''}
      </form>
    </td>
  </tr>`

/** The lanes and what can be done at each, for trying out. */
export const renderLanePage = ({ lanes, events }: LaneSimulator): string => `<!doctype html>
<html lang="zh-CN">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>车道模拟器</title>
<style>
  body { margin: 24px; font: 14px/1.6 system-ui, sans-serif; }
  table { border-collapse: collapse; }
  td { padding: 6px 12px; border-bottom: 1px solid #ddd; }
  form { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
</style>
<h1>车道模拟器</h1>
<table>${lanes.map(laneRow).join('')}</table>
<h2>最近</h2>
<table>${events
  .map(
    ({ time, laneName, plateNo, answer }) =>
      `<tr><td>${time}</td><td>${escaped(laneName)}</td><td>${escaped(plateNo)}</td><td>${escaped(answer)}</td></tr>`,
  )
  .join('')}</table>
</html>`
