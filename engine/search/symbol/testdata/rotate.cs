using Keys.rotate;

namespace Auth
{
    /// <summary>Sessions rotate.</summary>
    public class Sessions
    {
        private int rotate;
        public void rotate(int now) { this.rotate(now); rotate(now); }
        public void Login(Sessions s, int rotate)
        {
            s.rotate(rotate);
            var x = new Sessions { rotate = 1 };
            x.rotate(2);
            var y = $"rotate {rotate}";
        }
    }
}
