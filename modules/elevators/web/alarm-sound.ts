import { useEffect, useState } from 'react'

const everyMs = 3000
const blockedAfterMs = 500
/** Two tones one after the other, each in hertz. */
const tones = [880, 660]
const toneSeconds = 0.35

function playOnce(context: AudioContext): void {
  tones.forEach((frequency, i) => {
    const oscillator = context.createOscillator()
    const gain = context.createGain()
    oscillator.frequency.value = frequency
    gain.gain.value = 0.2
    oscillator.connect(gain).connect(context.destination)
    const start = context.currentTime + i * toneSeconds
    oscillator.start(start)
    oscillator.stop(start + toneSeconds)
  })
}

/**
 * Sounds again and again while it is on. A browser lets a page sound once somebody has touched it: whether
 * it still waits for that is the answer.
 */
export function useAlarmSound(isOn: boolean): boolean {
  const [isBlocked, setBlocked] = useState(false)
  useEffect(() => {
    if (!isOn) return
    const context = new AudioContext()
    const resume = (): void => void context.resume().catch(() => undefined)
    const play = (): void => {
      resume()
      if (context.state === 'running') {
        playOnce(context)
      }
    }
    const noteState = (): void => setBlocked(context.state !== 'running')
    context.addEventListener('statechange', noteState)
    play()
    // A page that may sound is running by then.
    const blockedTimer = setTimeout(noteState, blockedAfterMs)
    const timer = setInterval(play, everyMs)
    addEventListener('pointerdown', resume)
    addEventListener('keydown', resume)
    return () => {
      clearInterval(timer)
      clearTimeout(blockedTimer)
      context.removeEventListener('statechange', noteState)
      setBlocked(false)
      removeEventListener('pointerdown', resume)
      removeEventListener('keydown', resume)
      void context.close()
    }
  }, [isOn])
  return isBlocked
}
