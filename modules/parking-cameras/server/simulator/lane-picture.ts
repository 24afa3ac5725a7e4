const [width, height] = [640, 360]
const quality = 70

/** What a camera sees: a car from the front, with its plate where it has one. */
export async function drawLanePicture(plateNo: string | undefined, time: string): Promise<Buffer> {
  // Loaded when a picture is drawn: the product itself runs no simulator.
  const { createCanvas } = await import('@napi-rs/canvas')
  const canvas = createCanvas(width, height)
  const c = canvas.getContext('2d')
  c.fillStyle = '#5f6670'
  c.fillRect(0, 0, width, height)
  c.fillStyle = '#c9cdd3'
  c.fillRect(300, 0, 40, 60)
  c.fillStyle = '#2c3e57'
  c.fillRect(170, 110, 300, 190)
  c.fillStyle = '#9fb4c8'
  c.fillRect(205, 125, 230, 70)
  c.fillStyle = '#f4f1d0'
  c.fillRect(185, 220, 50, 26)
  c.fillRect(405, 220, 50, 26)
  c.fillStyle = '#14181d'
  c.fillRect(180, 295, 46, 40)
  c.fillRect(414, 295, 46, 40)
  if (plateNo !== undefined) {
    c.fillStyle = plateNo.length === 8 ? '#2f9e63' : '#1d4fb8'
    c.fillRect(255, 250, 130, 36)
    c.fillStyle = '#ffffff'
    c.font = 'bold 22px "Noto Sans SC", "WenQuanYi Zen Hei", sans-serif'
    c.textAlign = 'center'
    c.textBaseline = 'middle'
    c.fillText(plateNo, 320, 269)
  }
  c.fillStyle = '#ffffff'
  c.font = '16px sans-serif'
  c.textAlign = 'start'
  c.fillText(time, 12, 24)
  return canvas.encode('jpeg', quality)
}
