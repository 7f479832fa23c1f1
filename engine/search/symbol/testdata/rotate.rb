require_relative 'rotate'

# Sessions rotate.
class Sessions
  attr_reader :rotate

  # Renews the keys.
  def rotate(now)
    @rotate = now
    rotate now
    self.rotate(now)
  end

  def self.rotate; end
end

def login(s)
  s.rotate 1
  Sessions.rotate
  x = Sessions.new
  x.rotate(2)
  s.send(:rotate)
  rotate = 1
  puts "rotate #{rotate}"
end
